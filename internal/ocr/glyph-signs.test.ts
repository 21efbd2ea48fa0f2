import { describe, expect, it } from 'vitest'
import { signOf } from './glyph-signs.ts'

/** A rectangle as an outline: move, three lines, close. */
const box = (left: number, bottom: number, right: number, top: number): readonly number[] => [
  ...[0, left, bottom, 1, right, bottom, 1, right, top, 1, left, top],
  4,
]
const outline = (...boxes: readonly (readonly number[])[]): Float32Array =>
  Float32Array.from(boxes.flat())

describe('a sign that the Korean data does not know', () => {
  it.each([
    { sign: '【', shape: outline(box(0.55, -0.1, 0.95, 0.85)), width: 1 },
    { sign: '】', shape: outline(box(0.05, -0.1, 0.45, 0.85)), width: 1 },
    { sign: '*', shape: outline(box(0.1, 0.35, 0.4, 0.65)), width: 0.5 },
    { sign: '㎡', shape: outline(box(0.05, 0, 0.6, 0.5), box(0.65, 0.45, 0.9, 0.8)), width: 0.95 },
  ])('$sign is known by its outline', ({ sign, shape, width }) => {
    expect(signOf(shape, width)).toBe(sign)
  })

  it.each([
    {
      name: 'a syllable',
      shape: outline(box(0.05, 0, 0.5, 0.8), box(0.6, -0.1, 0.9, 0.85)),
      width: 1,
    },
    { name: 'a digit', shape: outline(box(0.05, 0, 0.45, 0.7)), width: 0.5 },
    { name: 'a blank', shape: outline(), width: 0.5 },
  ])('$name is none', ({ shape, width }) => {
    expect(signOf(shape, width)).toBeNull()
  })
})
