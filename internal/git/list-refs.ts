/** Parses what a remote answers to `git ls-remote --symref`. A remote may have tens of thousands of branches. */
import type { TakeTurn } from './tree.ts'

export type RemoteRefs = Readonly<{
  /** In the order of the remote. */
  branches: readonly string[]
  defaultBranch: string | null
}>

/** Bytes that are read in one turn, which takes about 2 ms. */
const PART_BYTES = 131_072
const LINE_FEED = 0x0a

const BRANCH = /\trefs\/heads\/(.+)$/gm
const HEAD = /^ref: refs\/heads\/(\S+)\tHEAD$/m

/** @throws whatever `takeTurn` throws */
export const parseRefs = async (output: Uint8Array, takeTurn: TakeTurn): Promise<RemoteRefs> => {
  const decoder = new TextDecoder()
  const branches: string[] = []
  let defaultBranch: string | null = null
  for (let at = 0; at < output.length; ) {
    if (at > 0) await takeTurn()
    const last = output.indexOf(LINE_FEED, at + PART_BYTES)
    const end = last < 0 ? output.length : last + 1
    const text = decoder.decode(output.subarray(at, end))
    for (const [, name = ''] of text.matchAll(BRANCH)) branches.push(name)
    defaultBranch ??= HEAD.exec(text)?.[1] ?? null
    at = end
  }
  return { branches, defaultBranch }
}
