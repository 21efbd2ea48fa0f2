/** The labels by which people find a job or a flow run again, for example by the customer in its input [jobs 20]. */
import { fillReferences } from '../action/input-text.ts'
import type { JsonValue } from '../json/value.ts'
import { limit } from '../limit.ts'

/** Bounded because labels are kept in an index. */
const MAX_LABEL_LENGTH = limit(
  'job.label',
  100,
  'characters',
  'Label of a job or a flow run. More is cut.',
)

/** Returns the label as it is stored and searched: in one line, without space around it, and cut. */
export const toLabel = (text: string): string =>
  Array.from(text.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim())
    .slice(0, MAX_LABEL_LENGTH)
    .join('')
    .trimEnd()

/**
 * Returns the labels of a job or run with this input, each once. A label that refers to no text, number or boolean of the input is
 * left out, because nothing must fail for a label.
 */
export const labelsOf = (templates: readonly string[], input: JsonValue): readonly string[] => {
  const labels = templates.map((template) => {
    let isComplete = true
    const text = fillReferences(template, input, () => {
      isComplete = false
      return ''
    })
    return isComplete ? toLabel(text) : ''
  })
  return [...new Set(labels)].filter((label) => label !== '')
}
