import type { ActionContext } from '@svc/sdk'

type Change = { document: string; text?: string }

/** A webhook's input is the text that was sent. The debounce of `index` makes one job of many changes. */
export const main = async ({ input, run }: ActionContext<string>) => {
  const { document, text = '' }: Change = JSON.parse(input)
  return run('index', { document, text })
}
