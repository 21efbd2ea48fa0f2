/** Looks for letters that a program destroyed when it rewrote the file [documents 13.7]. */
import { type Finding, finding } from '../schema/document.ts'

/** Letters that no certificate contains: western European and private-use letters, and the replacement character. */
const FOREIGN = /[\u00b9\u00bc-\u00be\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff\ufffd\ue000-\uf8ff]/g
/** A name may contain a few of them. */
const TOLERATED = 3
/** Next to Hangul, such a letter has replaced Hangul. In a name it is among letters of its own kind. */
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
