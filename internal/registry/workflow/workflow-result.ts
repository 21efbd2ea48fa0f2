/**
 * Converts a parsed certificate to the result of the workflow call [documents 17.5], [documents 17.6]. The result of an
 * aggregate building has the shape of a building: its exclusive part is the building, the land of its right is the ground.
 */

import { orNull } from '../fields/normal-text.ts'
import type { Confidence, RegistryDocument } from '../schema/document.ts'
import type { PropertyType } from '../schema/title.ts'
import { acquisitionDate, currentOwners } from './current-owners.ts'

export type LandResult = Readonly<{
  landNumber: string | null
  owner: string | null
  /** Square metres, or as printed if in an old unit. */
  area: string | null
  usage: string | null
  /** YYYY-MM-DD */
  acquisitionDate: string | null
  registrationNumber: string | null
  /** 0 to 1 */
  confidence: number
}>

export type BuildingResult = Readonly<{
  address: string | null
  owner: string | null
  buildingArea: string | null
  groundArea: string | null
  floors: number | null
  constructionDate: string | null
  registrationNumber: string | null
  confidence: number
}>

export type WorkflowResult = LandResult | BuildingResult

const PERCENT = 100

/** `2016년 10월 13일` becomes `2016-10-13`. */
const toIsoDate = (text: string | null | undefined): string | null => {
  const found = /(\d{4})년\s*(\d{1,2})월\s*(\d{1,2})일/.exec(text ?? '')
  if (found === null) return null
  const [, year = '', month = '', day = ''] = found
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** `가람북도 하늘시 산44-7` becomes `산44-7`: the lot is at the end, after the place names. */
const toLot = (address: string | null): string | null =>
  /(산?\s*\d+(?:-\d+)?)(?:번지)?(?:\s*외\s*\d+필지)?\s*$/
    .exec(address ?? '')?.[1]
    ?.replace(/\s/g, '') ?? null

const toText = (area: number | null): string | null => (area === null ? null : String(area))
const withoutUnit = (area: string | null): string | null =>
  area === null ? null : area.replaceAll(',', '').replace(/\s*㎡$/, '')

type Parsed = Readonly<{ document: RegistryDocument; confidence: Confidence }>

const commonOf = ({ document, confidence }: Parsed) => ({
  owner: orNull(currentOwners(document).join(', ')),
  registrationNumber: orNull(document.unique_number),
  confidence: confidence.overall / PERCENT,
})

const buildingOf = (parsed: Parsed): BuildingResult | null => {
  const { title, property_address: propertyAddress } = parsed.document
  if (title.property_type === 'land') return null
  const isAggregate = title.property_type === 'aggregate_building'
  return {
    address: title.address ?? title.road_address ?? orNull(propertyAddress),
    buildingArea: toText(isAggregate ? title.exclusive_area : title.total_floor_area),
    groundArea: isAggregate ? toText(title.land_right_area) : null,
    floors: title.floors,
    constructionDate: toIsoDate(title.building_entries[0]?.receipt_date),
    ...commonOf(parsed),
  }
}

/** @returns null if the certificate is of another kind than requested */
export const toWorkflowResult = (parsed: Parsed, wanted: PropertyType): WorkflowResult | null => {
  const { title, property_address: propertyAddress, section_a: sectionA } = parsed.document
  if (title.property_type !== wanted) return null
  if (title.property_type !== 'land') return buildingOf(parsed)
  return {
    landNumber: toLot(title.address) ?? toLot(propertyAddress),
    area: withoutUnit(title.land_area),
    usage: title.land_type,
    acquisitionDate: toIsoDate(acquisitionDate(sectionA)),
    ...commonOf(parsed),
  }
}
