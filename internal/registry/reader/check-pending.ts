/** Reports an application that the office had not decided when it printed the certificate [documents 13.11]. */
import { squeeze } from '../fields/normal-text.ts'
import { type Finding, finding } from '../schema/document.ts'

/** Not the note of a form about what it prints if there is one: `신청사건이 처리중인 경우 …`. */
const PENDING =
  /(?:신청|등기)사건(?:이|은|을)?(?:현재)?처리중(?!인?(?:경우|때))|처리중인?(?:등기)?신청사건/

/** @param texts the lines of the pages */
export const checkPending = (texts: readonly string[]): readonly Finding[] => {
  const line = texts.find((text) => PENDING.test(squeeze(text)))
  if (line === undefined) return []
  const said = `An application was pending (신청사건 처리중) when the certificate was printed, so the register may have changed: "${line.trim().slice(0, 100)}"`
  return [finding('APPLICATION_PENDING', said)]
}
