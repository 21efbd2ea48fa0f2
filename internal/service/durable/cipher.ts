/** Encrypts what durable steps keep with the workspace's key, bound to job, step and field. */
import { isSealed, type Keyring } from '#crypto/keyring.ts'
import { textOfRun } from '#store/jobs/called-runs.ts'
import { flowCipher, runPlace } from '../flows/cipher.ts'

export type StepField = 'result' | 'error' | 'history'

export type StepCipher = Readonly<{
  seal: (name: string, field: StepField, json: string) => string
  /** @throws {Error} the text was changed, moved, or encrypted with another key */
  open: (name: string, field: StepField, text: string) => string
}>

export type StepOwner = Readonly<{ ws: string; wrappedKey: string; jobId: string }>

/** Encrypts and decrypts what the steps of one job keep. */
export const stepCipher = (keyring: Keyring, { ws, wrappedKey, jobId }: StepOwner): StepCipher => {
  const place = (name: string, field: StepField): string => `job-step|${field}|${name}`
  /** What an ended run has left in the step that called it is encrypted for the run. */
  const openOfRun = (field: StepField, text: string): string => {
    const ofRun = textOfRun(text)
    if (ofRun === null) return text
    const { runId, sealed } = ofRun
    return isSealed(sealed)
      ? flowCipher(keyring, { ws, wrappedKey }).openJson(runPlace(runId, field), sealed)
      : sealed
  }
  return {
    seal: (name, field, json) =>
      keyring.scoped(wrappedKey, ws, jobId).encrypt(place(name, field), json),
    open: (name, field, text) =>
      // the texts of called jobs are plain JSON, as in the job itself
      isSealed(text)
        ? keyring.scoped(wrappedKey, ws, jobId).decrypt(place(name, field), text)
        : openOfRun(field, text),
  }
}
