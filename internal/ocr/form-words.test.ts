import { describe, expect, it } from 'vitest'
import { correctByWords } from './form-words.ts'

const corrected = (text: string): string => {
  const letters = [...text]
  for (const { at, letter } of correctByWords([...text])) letters[at] = letter
  return letters.join('')
}

describe('words of the form', () => {
  it('correct a letter that OCR took for its neighbour', () => {
    expect(corrected('새벽지방범원')).toBe('새벽지방법원')
    expect(corrected('【감구】(소유권에관한사항)')).toBe('【갑구】(소유권에관한사항)')
    expect(corrected('11시03분46조')).toBe('11시03분46초')
  })

  it('leave a word that is another one', () => {
    const texts = ['등기사항일부증명서', '【을구】(소유권이외의권리에관한사항)', '전세권설정']
    expect(texts.map(corrected)).toEqual(texts)
  })

  it('leave names that differ in several letters', () => {
    expect(corrected('유한회사 등기소')).toBe('유한회사 등기소')
  })
})
