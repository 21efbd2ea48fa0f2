/** The shape of a flow in the manifest [flows 1.1, 12.1]. */

import type { z } from 'zod'
import { inputSchemaField } from '../action/input-schema-field.ts'
import { labelsField } from '../action/input-text-field.ts'
import { flowExpose } from '../agent/expose.ts'
import { limit } from '../limit.ts'
import { key, list, mapping, yesOrNo } from '../manifest/fields.ts'
import { flowConcurrency } from './concurrency.ts'
import { json } from './fields.ts'
import { stepSchema } from './kinds.ts'

const MAX_STEPS = limit('flow.steps', 100, 'items', 'Steps of a flow.')

export const flowSchema = mapping({
  key,
  steps: list(stepSchema, MAX_STEPS).min(1, 'must have at least one step'),
  failureModule: mapping(
    {
      key,
      action: key,
      input: json.optional(),
      onCancel: yesOrNo.optional(),
    },
    '{ key: alert, action: alert }',
  ).optional(),
  inputSchema: inputSchemaField.optional(),
  /** How many of its runs are under way at once (concurrency.ts). */
  concurrency: flowConcurrency.optional(),
  /** Texts that label its runs (core/job/labels.ts). */
  labels: labelsField.optional(),
  expose: flowExpose.optional(),
})

export type FlowDefinition = Readonly<z.infer<typeof flowSchema>>
