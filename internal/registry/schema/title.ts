/** The title section (표제부) of a certificate in the response: the property and its rows [documents 4]. */
import { z } from 'zod'

export const PROPERTY_TYPES = ['land', 'building', 'aggregate_building'] as const

const text = z.string()
const optionalText = z.string().nullable()
const squareMetres = z.number().nullable().describe('Square metres')

const titleEntry = {
  entry_id: text.describe('`{table}:p{page}:r{row}`, rows counted from 1 per table and page'),
  display_number: text.describe('As printed, with the number before computerisation: `1 (전 2)`'),
  cause_and_other: text,
  is_cancelled: z.boolean(),
}

const landEntrySchema = z.strictObject({
  ...titleEntry,
  receipt_date: optionalText,
  location: text,
  land_type: optionalText,
  area: optionalText,
})
const buildingEntrySchema = z.strictObject({
  ...titleEntry,
  receipt_date: optionalText,
  location_or_number: text,
  building_detail: text.describe('Lines of the cell, separated by line feeds'),
})
const exclusivePartEntrySchema = z.strictObject({
  ...titleEntry,
  receipt_date: optionalText,
  building_number: text,
  building_detail: text,
})
const landRightEntrySchema = z.strictObject({
  ...titleEntry,
  location: text,
  land_type: optionalText,
  area: optionalText,
})
const landRightRatioEntrySchema = z.strictObject({
  ...titleEntry,
  land_right_type: optionalText,
  land_right_ratio: optionalText,
})
const floorAreaSchema = z.strictObject({
  floor: text.describe('The label as printed: `지하1층`, `1층`, `옥탑1층`'),
  area: z.number().describe('Square metres'),
  is_excluded: z.boolean().describe('Not counted in the total floor area (`연면적제외`)'),
})

const buildingFields = {
  address: optionalText,
  road_address: optionalText,
  structure: optionalText,
  roof_type: optionalText,
  floors: z.int().nullable().describe('Floors above ground'),
  building_type: optionalText,
  areas: z.array(floorAreaSchema),
  total_floor_area: squareMetres,
  building_entries: z.array(buildingEntrySchema),
}

export const titleSchema = z.discriminatedUnion('property_type', [
  z.strictObject({
    property_type: z.literal('land'),
    address: optionalText,
    land_type: optionalText,
    land_area: optionalText,
    land_entries: z.array(landEntrySchema),
  }),
  z.strictObject({ property_type: z.literal('building'), ...buildingFields }),
  z.strictObject({
    property_type: z.literal('aggregate_building'),
    ...buildingFields,
    building_name: optionalText,
    exclusive_area: squareMetres,
    land_right_ratio: optionalText,
    land_right_area: z
      .number()
      .nullable()
      .describe('Square metres of the land that the right is a share of: the denominator'),
    exclusive_part_entries: z.array(exclusivePartEntrySchema),
    land_right_entries: z.array(landRightEntrySchema),
    land_right_ratio_entries: z.array(landRightRatioEntrySchema),
  }),
])

export type PropertyType = (typeof PROPERTY_TYPES)[number]
export type RegistryTitle = z.infer<typeof titleSchema>
export type LandEntry = z.infer<typeof landEntrySchema>
export type BuildingEntry = z.infer<typeof buildingEntrySchema>
export type ExclusivePartEntry = z.infer<typeof exclusivePartEntrySchema>
export type LandRightEntry = z.infer<typeof landRightEntrySchema>
export type LandRightRatioEntry = z.infer<typeof landRightRatioEntrySchema>
export type FloorArea = z.infer<typeof floorAreaSchema>
