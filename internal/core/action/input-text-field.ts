/** Fields of the manifest that are texts with references to the input: keys and labels. */
import { limit } from '../limit.ts'
import { list, text } from '../manifest/fields.ts'
import { referenceFault } from './input-text.ts'

const MAX_LABELS = limit('job.labels', 5, 'items', 'Labels of an action or a flow.')

export const inputText = text(500).superRefine((value, context) => {
  const message = referenceFault(value)
  if (message !== null) context.addIssue({ code: 'custom', message })
})

// biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
export const labelsField = list(inputText, MAX_LABELS, '["customer:${input.customer}"]')
