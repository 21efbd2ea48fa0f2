/**
 * Keeps the order of writes when a batch is too large for a stream and takes another path: the batch waits for all earlier
 * ones, and later ones wait for it.
 */
import type { Statement, StatementResult } from '../database.ts'
import type { RemoteConnection } from './remote-connection.ts'

type Send = RemoteConnection['batch']

/** Wraps `batch` of a connection. Batches that are not large are sent at once, in the order of the calls. */
export const sendInOrder = ({
  batch,
  isLarge,
}: Pick<RemoteConnection, 'batch' | 'isLarge'>): Send => {
  const underWay = new Set<Promise<unknown>>()
  /** The last large batch. */
  let large: Promise<unknown> = Promise.resolve()

  const track = (
    behind: readonly Promise<unknown>[],
    statements: readonly Statement[],
  ): Promise<readonly StatementResult[]> => {
    const sent = Promise.allSettled(behind).then(() => batch(statements))
    underWay.add(sent)
    const forget = () => underWay.delete(sent)
    sent.then(forget, forget)
    return sent
  }
  return (statements) => {
    if (!isLarge(statements)) return track([large], statements)
    const sent = track([...underWay], statements)
    large = sent
    return sent
  }
}
