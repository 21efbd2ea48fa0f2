/** Shapes of the workflow call [documents 17]. Outside clients rely on their names. */
import { MAX_URL_LENGTH } from '#core/network/document-url.ts'
import { PROPERTY_TYPES } from '#registry/schema/title.ts'
import { z } from './z.ts'

export const workflowBody = z
  .strictObject({
    type: z.literal('document_parsing'),
    params: z.strictObject({
      documentType: z.enum(PROPERTY_TYPES),
      imageUrl: z
        .string()
        .min(1)
        .max(MAX_URL_LENGTH)
        .describe(
          'http or https: a PDF, or a JPG or PNG of at least 200 DPI; at most 10 MB, at a public address',
        ),
      accuracy: z
        .enum(['standard', 'high'])
        .default('standard')
        .describe('high reads an image more than once, and costs more'),
    }),
  })
  .openapi('WorkflowRequest')

const orNull = z.string().nullable()
const confidence = z.number().min(0).max(1)

const landResult = z
  .object({
    landNumber: orNull,
    owner: orNull.describe('several are joined by commas'),
    area: orNull.describe('square metres'),
    usage: orNull,
    acquisitionDate: orNull.describe('YYYY-MM-DD'),
    registrationNumber: orNull,
    confidence,
  })
  .openapi('LandResult')

const buildingResult = z
  .object({
    address: orNull,
    owner: orNull.describe('several are joined by commas'),
    buildingArea: orNull.describe('square metres; of an aggregate building, the exclusive part'),
    groundArea: orNull.describe('square metres of the land that the right is a share of'),
    floors: z.int().nullable(),
    constructionDate: orNull.describe('YYYY-MM-DD, of the first entry'),
    registrationNumber: orNull,
    confidence,
  })
  .openapi('BuildingResult')

export const workflowAnswer = z
  .discriminatedUnion('status', [
    z.object({
      id: z.string(),
      status: z.literal('SUCCEEDED'),
      result: z.union([landResult, buildingResult]),
    }),
    z.object({
      id: z.string(),
      status: z.literal('FAILED'),
      error: z.string(),
      advice: z.string(),
    }),
  ])
  .openapi('WorkflowAnswer')
