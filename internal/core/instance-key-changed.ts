/**
 * A data key that cannot be decrypted means that the instance key changed while this node runs. The node ends soon; until then
 * it leaves its work to nodes with the new key.
 */
import { AppError, unavailable } from './error.ts'

export const keyChanged = (cause: unknown): AppError =>
  unavailable(
    'This node has another instance key than its database. Give it the new key and restart it.',
    { code: 'instance_key_changed', cause },
  )

export const isKeyChanged = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'instance_key_changed'
