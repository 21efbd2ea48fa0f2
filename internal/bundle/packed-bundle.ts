/** Keeps the bundles of an app compressed, because those of 500 actions that share a library repeat it 500 times. */
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { BundledCode } from './bundle-hash.ts'

/** Both work outside the event loop. */
const [pack, unpack] = [promisify(deflateRaw), promisify(inflateRaw)]
/** The fastest level already removes most of what code and maps repeat. */
const OPTIONS = { level: 1 }

export type PackedBundle = Readonly<{
  loadCode: () => Promise<BundledCode>
  /** Characters. */
  codeLength: number
  /** Bytes of memory that code and map take. */
  packedBytes: number
}>

/** Compresses a bundle. */
export const packBundle = async (bundle: BundledCode): Promise<PackedBundle> => {
  const codeLength = bundle.code.length
  return {
    ...toPacked(await pack(bundle.code, OPTIONS), await pack(bundle.sourceMap, OPTIONS)),
    codeLength,
  }
}

/** It has a scope of its own, because a function keeps what the scope of its creation holds. */
const toPacked = (code: Uint8Array, sourceMap: Uint8Array): Omit<PackedBundle, 'codeLength'> => ({
  loadCode: async () => ({
    code: (await unpack(code)).toString(),
    sourceMap: (await unpack(sourceMap)).toString(),
  }),
  packedBytes: code.length + sourceMap.length,
})
