/** The resolution that an image file declares, in dots per inch. */

/** Values that programs write if they don't know the density. */
const SCREEN = new Set([0, 1, 72, 96])
const CM_PER_INCH = 2.54
const METRES_PER_INCH = 0.0254

const known = (dpi: number): number | null => (SCREEN.has(Math.round(dpi)) ? null : dpi)

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const asciiAt = (bytes: Uint8Array, at: number, length: number): string =>
  new TextDecoder('latin1').decode(bytes.subarray(at, at + length))

const jfifDensity = (segment: Uint8Array): number | null => {
  const view = viewOf(segment)
  if (segment.length < 12 || asciiAt(segment, 0, 4) !== 'JFIF') return null
  const dots = view.getUint16(8)
  const unit = segment[7]
  if (unit === 1) return known(dots)
  return unit === 2 ? known(dots * CM_PER_INCH) : null
}

const X_RESOLUTION = 0x011a
const RESOLUTION_UNIT = 0x0128
const CENTIMETRES = 3

const ORIENTATION = 0x0112

type ExifTag = Readonly<{ tag: number; at: number; view: DataView; isLittle: boolean }>

/** The tags of the main image. @throws {RangeError} the segment is cut short */
function* exifTags(segment: Uint8Array): Iterable<ExifTag> {
  if (asciiAt(segment, 0, 4) !== 'Exif') return
  const view = viewOf(segment.subarray(6))
  const isLittle = view.getUint16(0) === 0x4949
  const first = view.getUint32(4, isLittle)
  const count = view.getUint16(first, isLittle)
  for (let index = 0; index < count; index += 1) {
    const at = first + 2 + index * 12
    yield { tag: view.getUint16(at, isLittle), at, view, isLittle }
  }
}

/** @throws {RangeError} the segment is cut short */
const exifDensity = (segment: Uint8Array): number | null => {
  let dots: number | null = null
  let unit = 2
  for (const { tag, at, view, isLittle } of exifTags(segment)) {
    if (tag === RESOLUTION_UNIT) unit = view.getUint16(at + 8, isLittle)
    if (tag !== X_RESOLUTION) continue
    const place = view.getUint32(at + 8, isLittle)
    dots = view.getUint32(place, isLittle) / Math.max(1, view.getUint32(place + 4, isLittle))
  }
  if (dots === null) return null
  return known(unit === CENTIMETRES ? dots * CM_PER_INCH : dots)
}

/** @throws {RangeError} the segment is cut short */
const exifOrientation = (segment: Uint8Array): number | null => {
  for (const { tag, at, view, isLittle } of exifTags(segment)) {
    if (tag === ORIENTATION) return view.getUint16(at + 8, isLittle)
  }
  return null
}

const readOrNull = (read: (segment: Uint8Array) => number | null, segment: Uint8Array) => {
  try {
    return read(segment)
  } catch (error) {
    // ignore a segment that points beyond its end
    if (error instanceof RangeError) return null
    throw error
  }
}

type Segment = Readonly<{ marker: number; bytes: Uint8Array }>

/** The segments before the image data. */
function* jpegSegments(bytes: Uint8Array): Iterable<Segment> {
  const view = viewOf(bytes)
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0
    // the image data begins
    if (marker === 0xda) break
    const length = view.getUint16(at + 2)
    yield { marker, bytes: bytes.subarray(at + 4, at + 2 + length) }
    at += 2 + length
  }
}

/** @returns the dots per inch that the file declares, or null if it declares none or the resolution of a screen */
export const jpegDensity = (bytes: Uint8Array): number | null => {
  let found: number | null = null
  for (const { marker, bytes: segment } of jpegSegments(bytes)) {
    if (marker === 0xe0) found ??= readOrNull(jfifDensity, segment)
    if (marker === 0xe1) found ??= readOrNull(exifDensity, segment)
  }
  return found
}

/** How the image is turned, by the numbers of EXIF: 1 is upright. A camera stores a page as it was held. */
export const jpegOrientation = (bytes: Uint8Array): number => {
  for (const { marker, bytes: segment } of jpegSegments(bytes)) {
    const found = marker === 0xe1 ? readOrNull(exifOrientation, segment) : null
    if (found !== null) return found
  }
  return 1
}

/**
 * Reads the `pHYs` chunk.
 * @returns the dots per inch that the file declares, or null if it declares none or the resolution of a screen
 */
export const pngDensity = (bytes: Uint8Array): number | null => {
  const view = viewOf(bytes)
  for (let at = 8; at + 17 <= bytes.length; ) {
    const length = view.getUint32(at)
    const name = asciiAt(bytes, at + 4, 4)
    if (name === 'pHYs' && length === 9 && bytes[at + 16] === 1) {
      return known(view.getUint32(at + 8) * METRES_PER_INCH)
    }
    if (name === 'IDAT') return null
    at += 12 + length
  }
  return null
}
