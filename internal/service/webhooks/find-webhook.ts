/** A webhook as it is deployed now, with the values of the variables that it names. */
import { type AppError, notFound } from '#core/error.ts'
import type { WebhookDefinition } from '#core/webhook/definition.ts'
import {
  type DeployedWebhook,
  findWebhook as findRow,
  type WebhookKey,
} from '#store/webhooks/webhooks.ts'
import type { Deps } from '../deps.ts'
import { variableContext } from '../secrets/secret-context.ts'

export type Webhook = WebhookKey &
  Readonly<{
    definition: WebhookDefinition
    /** The person who deployed it, with whose permissions its jobs run. */
    deployedBy: string
    /** Values of those variables that are set; an empty value counts as not set. */
    variables: ReadonlyMap<string, string>
  }>

type FindDeps = Pick<Deps, 'db' | 'keyring'>

/** Decrypts the variables that a webhook names. */
export const variablesOf = (
  { keyring }: Pick<Deps, 'keyring'>,
  ws: string,
  { wrappedKey, variables }: Pick<DeployedWebhook, 'wrappedKey' | 'variables'>,
): ReadonlyMap<string, string> =>
  new Map(
    variables
      .map(([key, ciphertext]): readonly [string, string] => [
        key,
        keyring.decrypt(wrappedKey, ws, variableContext(key), ciphertext),
      ])
      .filter(([, value]) => value !== ''),
  )

/** Builds the error, which is the same for an unknown workspace, app and webhook. */
export const unknownWebhook = (): AppError => notFound('Webhook', { code: 'webhook_not_found' })

/** @throws {AppError} not_found */
export const findWebhook = async (deps: FindDeps, at: WebhookKey): Promise<Webhook> => {
  const row = await findRow(deps.db, at)
  if (row === null) throw unknownWebhook()
  const { definition, deployedBy } = row
  return { ...at, definition, deployedBy, variables: variablesOf(deps, at.ws, row) }
}
