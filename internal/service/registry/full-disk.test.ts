/** A scan takes seconds to read, so it is refused before if its charge cannot be written. */
import { beforeEach, expect, test, vi } from 'vitest'
import type { FetchedDocument } from '#outbound/fetch-document.ts'
import { DatabaseError } from '#store/database.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { addCredit } from '../billing/add-credit.ts'
import { parseByUrl } from './parse-by-url.ts'
import { parseRegistryFile } from './parse-registry.ts'

const place = await workspaceForFile()
const ws = await place.addWorkspace('scans')
await addCredit(place.deps, { ws, amountWon: 5_000, note: null, actor: actorFor(ADMIN) })

const readScan = vi.fn(async () => {
  throw new Error('The scan was read.')
})
beforeEach(() => {
  readScan.mockClear()
})

const depsWith = (isFull: boolean, fetched: FetchedDocument) => {
  const { db, newId, now } = place.deps
  const full = async (): Promise<never> => {
    throw new DatabaseError('database or disk is full', { kind: 'full', outcome: 'none' })
  }
  return {
    newId,
    now,
    db: isFull ? { ...db, write: full } : db,
    billing: { isPrepaid: true, registryWon: 1_000, accuracyWon: 500 },
    fetchDocument: async () => fetched,
    pdf: {
      readScan,
      readRegistry: async () => ({ kind: 'registry', parse: REFUSED }) as const,
      readContent: readScan,
      prepare: () => undefined,
      close: () => undefined,
    },
  }
}
const REFUSED = { kind: 'refused', code: 'no_text_layer', message: '' } as const
const PICTURE = { kind: 'file', type: 'png', bytes: Buffer.from('scan') } as const
const CALL = { ws, apiKeyId: 'ak_1', route: '/parse', requestId: 'r' }
const { signal } = new AbortController()

test.each([
  [
    'a PDF',
    (isFull: boolean) =>
      parseRegistryFile(depsWith(isFull, PICTURE), { ...CALL, parts: [PICTURE.bytes], signal }),
  ],
  [
    'a picture',
    (isFull: boolean) =>
      parseByUrl(depsWith(isFull, PICTURE), {
        ...CALL,
        documentType: 'land',
        url: 'https://example.com/scan.png',
        accuracy: 'standard',
        signal,
      }),
  ],
])('a scan of %s is not read on a full disk', async (_, parse) => {
  await expect(parse(true)).rejects.toMatchObject({ kind: 'full' })
  expect(readScan).not.toHaveBeenCalled()
  await expect(parse(false)).rejects.toThrow('The scan was read.')
})
