/** Which file of a draft is open; stored in the address. */
export type DraftSearch = Readonly<{ file?: string }>

export const readDraftSearch = ({ file }: Record<string, unknown>): DraftSearch =>
  typeof file === 'string' && file !== '' ? { file: file.slice(0, 255) } : {}
