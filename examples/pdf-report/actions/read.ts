import type { ActionContext } from '@svc/sdk'
import { extractText } from 'unpdf'

export type Read = { pages: number; text: string }

/** @param ctx.input `pdf`: the file in base64 */
export const main = async ({
  input,
}: Pick<ActionContext<{ pdf: string }>, 'input'>): Promise<Read> => {
  const bytes = Uint8Array.from(atob(input.pdf), (char) => char.charCodeAt(0))
  const { totalPages, text } = await extractText(bytes, { mergePages: true })
  return { pages: totalPages, text }
}
