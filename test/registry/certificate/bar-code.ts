import { pngFile } from '../../support/png-file.ts'
import { createRandom } from './random.ts'

const WIDTH = 84
const HEIGHT = 34
/** A small grey PNG of bars, the picture that stands top right of page 1. */
export const barCodePng = (seed: number): Uint8Array => {
  const random = createRandom(seed)
  const bars = Array.from({ length: WIDTH }, () => (random.chance(0.5) ? 0 : 255))
  const pixels = Uint8Array.from(Array.from({ length: HEIGHT }, () => bars).flat())
  return pngFile({ width: WIDTH, height: HEIGHT, pixels })
}
