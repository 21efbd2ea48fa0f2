import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { readScan } from './read-scan.ts'

const png = new Uint8Array(PNG.sync.write(new PNG({ width: 1_700, height: 1_700 })))
const noEngine = async (): Promise<never> => {
  throw new Error('no engine')
}

test.each([
  ['is good', png, 'no engine', [30_000, null]],
  ['is damaged', png.subarray(0, 100), 'damaged', [30_000]],
])(
  'the host knows how long an image may take to decode, one that %s',
  async (_, bytes, fault, steps) => {
    const found: unknown[] = []
    const onStep = (allowedMs: number | null) => void found.push(allowedMs)
    const options = { type: 'png', accuracy: 'standard', onStep } as const
    await expect(readScan(noEngine, bytes, options, PDF_BOUNDS)).rejects.toThrow(fault)
    expect(found).toEqual(steps)
  },
)
