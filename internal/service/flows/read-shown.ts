/** What approvals show to people, decrypted [flows 9.14]. */
import { NOTHING_SHOWN, type Shown, toShown } from '#core/flow/approval/shown.ts'
import type { Keyring } from '#crypto/keyring.ts'
import type { Reader } from '#store/database.ts'
import { findShown } from '#store/flows/steps.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { type FlowCipher, flowCipher, stepPlace } from './cipher.ts'

type StepAddress = Readonly<{ runId: string; index: number }>

/** @param text as the store keeps it */
export const openShown = (cipher: FlowCipher, { runId, index }: StepAddress, text: string): Shown =>
  toShown(cipher.open(stepPlace(runId, index, 'shown'), text))

/** Reads what one approval shows, for lists that read nothing else of a run. */
export const readShown = async (
  { db, keyring }: Readonly<{ db: Reader; keyring: Keyring }>,
  ws: string,
  step: StepAddress,
): Promise<Shown> => {
  const text = await findShown(db, step)
  const workspace = text === null ? null : await findWorkspace(db, ws)
  if (text === null || workspace === null) return NOTHING_SHOWN
  return openShown(flowCipher(keyring, { ws, wrappedKey: workspace.wrappedKey }), step, text)
}
