/** The field `inputSchema` of actions and flows in a manifest. */
import { z } from 'zod'
import { findSchemaFaults } from './input-schema.ts'

export const inputSchemaField = z
  .union([z.boolean(), z.record(z.string(), z.json())], 'must be a JSON Schema')
  .superRefine((schema, context) => {
    for (const { path, message } of findSchemaFaults(schema)) {
      context.addIssue({ code: 'custom', path: [...path], message })
    }
  })
