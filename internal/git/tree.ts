/** Parses the listing of a commit (`git ls-tree -r -z -l`) and contents of files (`git cat-file --batch`). */

export type TreeFile = Readonly<{ path: string; oid: string; size: number }>

/** Modes 100644 and 100755. A link has 120000, a submodule 160000. */
const PLAIN_FILE = /^100\d{3} blob ([0-9a-f]{40,64}) +(\d+)$/

/** Waits until other work of the process had its turn. */
export type TakeTurn = () => Promise<void>

/** Bytes of a listing that are read in one turn, which takes about 5 ms. */
const PART_BYTES = 131_072
/** Files whose contents are separated in one turn, which takes about 5 ms. */
const FILES_PER_TURN = 1_000

/** Returns the plain files of a listing; links and submodules are skipped. */
export const parseTree = async (
  listing: Uint8Array,
  takeTurn: TakeTurn,
): Promise<readonly TreeFile[]> => {
  const decoder = new TextDecoder()
  const files: TreeFile[] = []
  for (let at = 0; at < listing.length; ) {
    if (at > 0) await takeTurn()
    const last = listing.indexOf(0, at + PART_BYTES)
    const end = last < 0 ? listing.length : last + 1
    files.push(...parseLines(decoder.decode(listing.subarray(at, end))))
    at = end
  }
  return files
}

const parseLines = (text: string): readonly TreeFile[] =>
  text.split('\0').flatMap((line) => {
    const tab = line.indexOf('\t')
    const match = PLAIN_FILE.exec(line.slice(0, Math.max(tab, 0)))
    if (match === null) return []
    const [, oid = '', size = ''] = match
    return [{ path: line.slice(tab + 1), oid, size: Number(size) }]
  })

const LINE_FEED = 0x0a

/**
 * Parses the contents of requested objects, in the order of the request.
 * @param count number of requested objects
 * @throws {Error} the output is malformed
 */
export const parseBatch = async (
  output: Uint8Array,
  count: number,
  takeTurn: TakeTurn,
): Promise<readonly Uint8Array[]> => {
  const decoder = new TextDecoder()
  const contents: Uint8Array[] = []
  let at = 0
  while (contents.length < count) {
    const end = output.indexOf(LINE_FEED, at)
    const header = decoder.decode(output.subarray(at, Math.max(end, at)))
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(header)?.[1]
    if (size === undefined) throw new Error(`git cat-file answered "${header.slice(0, 100)}".`)
    const from = end + 1
    contents.push(output.slice(from, from + Number(size)))
    at = from + Number(size) + 1
    if (contents.length % FILES_PER_TURN === 0) await takeTurn()
  }
  return contents
}
