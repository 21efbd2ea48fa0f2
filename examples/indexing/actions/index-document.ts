import type { ActionContext } from '@svc/sdk'

type Input = { document: string; text?: string }

/** Counts the words of a document; a real app would send them to its search engine. */
export const main = async ({ input, state }: Pick<ActionContext<Input>, 'input' | 'state'>) => {
  const words = (input.text ?? '').split(/\s+/).filter(Boolean).length
  await state.set(`words/${input.document}`, words)
  return { document: input.document, words }
}
