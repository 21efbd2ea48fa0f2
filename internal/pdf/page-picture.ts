/** Finds the picture of a certificate: the largest image in the upper right of its first page, where the bar code is. */
import { z } from 'zod'
import { hidesLetter, type ImageOverText } from './image-cover.ts'
import type { DrawnImage } from './page-drawing.ts'
import { unitSquare } from './page-geometry.ts'
import { encodePng, type Pixels, rowBytes } from './png.ts'

/** pdf.js gives images ids and hands them out one by one. */
export type ImageStore = Readonly<{
  get: (id: string, onLoaded: (image: unknown) => void) => unknown
}>

/** Begins the id of an image that several pages show. */
const OF_DOCUMENT = 'g_'
const MAX_PIXELS = 4_000_000
const PATIENCE_MS = 2_000

const imageSchema = z.object({
  width: z.int().min(1),
  height: z.int().min(1),
  kind: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(1),
  data: z.union([z.instanceof(Uint8Array), z.instanceof(Uint8ClampedArray)]),
})
/** A mask has one bit per pixel, but does not declare it. */
const maskSchema = imageSchema.extend({ kind: z.undefined().catch(undefined) })
const KINDS = { 1: 'bit', 2: 'rgb', 3: 'rgba' } as const

/** The area in square points. */
export const areaOf = ({ matrix }: DrawnImage): number => {
  const { left, right, bottom, top } = unitSquare(matrix)
  return (right - left) * (top - bottom)
}

const isUpperRight = (
  { matrix }: DrawnImage,
  page: Readonly<{ width: number; height: number }>,
) => {
  const { left, right, bottom, top } = unitSquare(matrix)
  return (left + right) / 2 > page.width / 2 && (bottom + top) / 2 > page.height * 0.7
}

/** @returns null if there is none */
export const findPicture = (
  images: readonly DrawnImage[],
  page: Readonly<{ width: number; height: number }>,
): DrawnImage | null =>
  images
    .filter((image) => isUpperRight(image, page))
    .toSorted((one, other) => areaOf(other) - areaOf(one))[0] ?? null

const load = (store: ImageStore, id: string, patienceMs: number): Promise<unknown> =>
  new Promise((resolve) => {
    // an image that cannot be decoded may never arrive
    const timer = setTimeout(() => resolve(null), patienceMs)
    store.get(id, (image) => {
      clearTimeout(timer)
      resolve(image)
    })
  })

const toPixels = (image: unknown, isMask: boolean): Pixels | null => {
  const parsed = isMask ? maskSchema.safeParse(image) : imageSchema.safeParse(image)
  if (!parsed.success) return null
  const { width, height, data } = parsed.data
  const kind = parsed.data.kind === undefined ? 'bit' : KINDS[parsed.data.kind]
  if (data.length < rowBytes({ kind, width }) * height) return null
  return { width, height, kind, data: new Uint8Array(data.buffer, data.byteOffset, data.length) }
}

export type ImageStores = Readonly<{ page: ImageStore; document: ImageStore }>

/** @returns null if the image could not be decoded */
export const readPixels = async (
  { args: [first], isMask }: DrawnImage,
  stores: ImageStores,
  patienceMs: number,
): Promise<Pixels | null> => {
  const named = z.object({ data: z.string() }).safeParse(first)
  const id = typeof first === 'string' ? first : (named.data?.data ?? null)
  const store = id?.startsWith(OF_DOCUMENT) === true ? stores.document : stores.page
  const loaded = id === null ? first : await load(store, id, patienceMs)
  return toPixels(loaded, isMask)
}

/** Whether the image hides a letter. An image that cannot be decoded is not shown. */
export const isOverLetter = async (over: ImageOverText, stores: ImageStores): Promise<boolean> => {
  const pixels = await readPixels(over.image, stores, PATIENCE_MS)
  return pixels !== null && hidesLetter(pixels, over)
}

/** PNG in Base64. Null if the image cannot be decoded, or is too large to belong to a certificate. */
export const readPicture = async (
  image: DrawnImage,
  stores: ImageStores,
): Promise<string | null> => {
  const pixels = await readPixels(image, stores, PATIENCE_MS)
  const isFit = pixels !== null && pixels.width * pixels.height <= MAX_PIXELS
  return isFit ? encodePng(pixels).toString('base64') : null
}
