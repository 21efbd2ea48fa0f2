/** Paint that hides text in places only, so that it is compared with each letter below it: images, and paint under soft masks. */

import type { ImageOverText } from './image-cover.ts'
import { isInPart, type Part, type Spend } from './outline.ts'
import type { DrawnImage } from './page-drawing.ts'
import { isSolidAt, type SoftMask } from './soft-mask.ts'
import type { Ink, Letter } from './text-ink.ts'

export type LateCover = Part &
  Readonly<{
    /** The operator that paints it. */
    at: number
    masks: readonly SoftMask[]
    /** Null for plain paint. */
    image: DrawnImage | null
  }>

/** Images over text that are decoded to see whether they hide it. More are taken to do so. */
const MOST_IMAGES = 20

const lettersBelow = (
  cover: LateCover,
  letters: readonly Letter[],
  spend: Spend,
): readonly Ink[] => {
  spend(letters.length)
  return letters
    .filter(({ at }) => at < cover.at)
    .map(({ ink }) => ink)
    .filter((ink) =>
      ink.every(
        (point) =>
          isInPart(cover, point, spend) &&
          cover.masks.every((mask) => isSolidAt(mask, point, spend)),
      ),
    )
}

/** Finds whether paint hides a letter, or else the images that may do so. @throws {PdfError} if it is too much */
export const compareCovers = (
  covers: readonly LateCover[],
  letters: readonly Letter[],
  spend: Spend,
): Readonly<{ isCovered: boolean; images: readonly ImageOverText[] }> => {
  const images: ImageOverText[] = []
  for (const cover of covers) {
    const below = lettersBelow(cover, letters, spend)
    if (below.length === 0) continue
    if (cover.image === null || images.length === MOST_IMAGES)
      return { isCovered: true, images: [] }
    images.push({ image: cover.image, letters: below })
  }
  return { isCovered: false, images }
}
