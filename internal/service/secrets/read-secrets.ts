/**
 * Decrypts a workspace's variables and resources for a job. The ciphertexts come with the claim, so the next job sees a change.
 * Equal ciphertexts are decrypted once.
 */
import { z } from 'zod'
import type { JsonValue } from '#core/json/value.ts'
import type { Keyring } from '#crypto/keyring.ts'
import { resourceContext, variableContext } from './secret-context.ts'

/** A workspace's secrets as stored; part of a claimed job and of a called function. */
export type EncryptedSecrets = Readonly<{
  ws: string
  wrappedKey: string
  variablesJson: string
  resourcesJson: string
}>

export interface SecretReader {
  variables(from: EncryptedSecrets): Readonly<Record<string, string>>
  resources(from: EncryptedSecrets): Readonly<Record<string, JsonValue>>
}

const encryptedPairs = z.array(z.tuple([z.string(), z.string()]))

type Decrypted<T> = Readonly<{ source: string; values: Readonly<Record<string, T>> }>
type Context = (key: string) => string

/** Uses `Object.create(null)`, so that a variable named `__proto__` is an ordinary key. */
const decryptAll = <T>(
  pairs: string,
  decryptOne: (key: string, ciphertext: string) => T,
): Readonly<Record<string, T>> => {
  const values: Record<string, T> = Object.create(null)
  for (const [key, ciphertext] of encryptedPairs.parse(JSON.parse(pairs))) {
    values[key] = decryptOne(key, ciphertext)
  }
  return values
}

const NONE = '[]'

/** Creates a reader that caches the last values of each workspace. */
export const createSecretReader = (keyring: Keyring): SecretReader => {
  const reader = <T>(context: Context, parse: (plaintext: string) => T) => {
    const lastByWorkspace = new Map<string, Decrypted<T>>()
    return (job: EncryptedSecrets, source: string): Readonly<Record<string, T>> => {
      if (source === NONE) return {}
      const last = lastByWorkspace.get(job.ws)
      if (last?.source === source) return last.values
      const values = decryptAll(source, (key, ciphertext) =>
        parse(keyring.decrypt(job.wrappedKey, job.ws, context(key), ciphertext)),
      )
      lastByWorkspace.set(job.ws, { source, values })
      return values
    }
  }
  const variables = reader(variableContext, (text) => text)
  const resources = reader(resourceContext, (text): JsonValue => JSON.parse(text))
  return {
    variables: (job) => variables(job, job.variablesJson),
    resources: (job) => resources(job, job.resourcesJson),
  }
}
