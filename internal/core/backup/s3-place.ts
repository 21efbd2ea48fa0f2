/** Addresses of backups in S3: a folder of them, `s3://bucket/prefix`, or one, `s3://bucket/prefix/svc-<time>.db`. */

export type S3Place = Readonly<{
  bucket: string
  /** Comes before each name: empty, or it ends with a slash. */
  prefix: string
  /** The backup that the address names; null if it names a folder. */
  name: string | null
}>

/** Returns whether a text is meant as an S3 address. */
export const isS3Address = (text: string): boolean => /^s3:/i.test(text)

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Characters that need no escape in a URL, in a signature or in XML. */
const SEGMENT = /^(?!\.{1,2}$)[\w.-]+$/
/** Leaves room in a key of S3, which has at most 1,024 bytes, for the name of a backup, which takes 31. */
const MAX_LENGTH = 900
const FILE_SUFFIX = '.db'

/** Returns the place, or null if the address is malformed. */
export const parseS3Place = (address: string): S3Place | null => {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(address) ?? []
  const segments = path.replace(/\/$/, '').split('/')
  const isRoot = segments.length === 1 && segments[0] === ''
  if (!BUCKET.test(bucket) || path.length > MAX_LENGTH) return null
  if (isRoot) return { bucket, prefix: '', name: null }
  if (!segments.every((segment) => SEGMENT.test(segment))) return null
  const last = segments.at(-1) ?? ''
  const name = last.endsWith(FILE_SUFFIX) && !path.endsWith('/') ? last : null
  const folders = name === null ? segments : segments.slice(0, -1)
  return { bucket, prefix: folders.map((segment) => `${segment}/`).join(''), name }
}

/** Returns the address of a backup, or of the folder. */
export const s3Address = ({ bucket, prefix }: S3Place, name = ''): string =>
  `s3://${bucket}/${prefix}${name}`
