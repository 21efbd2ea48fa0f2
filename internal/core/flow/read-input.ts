/** Which step of a flow reads a field of the start input. Pure. */
import { parseCondition, referencesOfCondition } from './condition/parse.ts'
import type { Reference } from './data.ts'
import type { FlowDefinition } from './definition.ts'
import { type FlowStep, kindOf } from './kinds.ts'
import { referencesOf } from './template.ts'

/** References that each run reads that comes to the step. A condition may keep it from reading the others. */
const readByAll = (step: FlowStep): readonly Reference[] => {
  const { conditions = [], templates = [] } = kindOf(step).references?.(step) ?? {}
  const isConditional = [step.skipIf, ...conditions].some((each) => each !== undefined)
  const { condition } = parseCondition(step.skipIf ?? '')
  return [
    ...(condition === null ? [] : referencesOfCondition(condition)),
    ...(isConditional
      ? []
      : [step.input, ...templates].flatMap((each) => referencesOf(each ?? null))),
  ]
}

/** Returns the first step that reads a field of the start input in each run that comes to it, with the reference. */
export const firstReadOfInput = (
  flow: FlowDefinition,
): Readonly<{ step: string; text: string }> | null => {
  for (const step of flow.steps) {
    const read = readByAll(step).find(({ root, path }) => root === 'input' && path.length > 0)
    if (read !== undefined) return { step: step.key, text: read.text }
  }
  return null
}
