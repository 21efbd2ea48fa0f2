/** Looks for letters that a program destroyed when it wrote the file again [documents 13.7]. */
import { type Finding, finding } from '../schema/document.ts'

/** Letters that no certificate has: of western Europe, of private use, and the sign of an unknown one. */
const FOREIGN = /[\u00b9\u00bc-\u00be\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff\ufffd\ue000-\uf8ff]/g
/** A name may have a few of them. */
const TOLERATED = 3
/** In a name they are among letters of their kind; next to Hangul they took the place of Hangul. */
const WITHIN_HANGUL = /(?<=[가-힣])[^\s\p{ASCII}]|[^\s\p{ASCII}](?=[가-힣])/gu
const TOLERATED_WITHIN = 1

const countOf = (text: string): number => text.match(FOREIGN)?.length ?? 0

export const findDamage = (text: string): readonly Finding[] => {
  const count = countOf(text)
  const within = countOf((text.match(WITHIN_HANGUL) ?? []).join(''))
  if (count <= TOLERATED && within <= TOLERATED_WITHIN) return []
  const message = `${count} letters of the text are not those of the print; send the file as the registry issues it.`
  return [finding('TEXT_DAMAGED', message)]
}
