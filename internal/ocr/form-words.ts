/** Words that every certificate prints. They correct letters that OCR confused with a similar one, such as 감구 for 갑구. */

/** Without blanks, at least four characters long, so that no other text differs in only one character; `?` is any character. */
const WORDS = [
  '갑구?(소유권에',
  '을구?(소유권이외',
  '표제부?(',
  '시??분??초',
  '등기사항전부증명서',
  '등기사항일부증명서',
  '말소사항포함',
  '현재유효사항',
  '소유권에관한사항',
  '소유권이외의권리에관한사항',
  '토지의표시',
  '건물의표시',
  '대지권의표시',
  '고유번호',
  '관할등기소',
  '지방법원',
  '열람일시',
  '순위번호',
  '표시번호',
  '등기목적',
  '등기원인',
  '권리자및기타사항',
  '소재지번',
  '건물명칭',
  '건물내역',
  '이하여백',
  '기록사항없음',
  '도로명주소',
  '집합건물',
  '철근콘크리트구조',
  '슬래브지붕',
  '슬라브지붕',
  '콘크리트지붕',
  '판넬지붕',
  '근린생활시설',
  '공동담보목록',
  '거래가액',
  '매매목록',
  '근저당권설정',
  '채권최고액',
  '전세권설정',
  '소유권이전',
  '소유권보존',
  '가압류결정',
  '임의경매개시결정',
  '주식회사',
  '새마을금고',
  '협동조합',
  '부동산등기법',
  '규정에의하여',
  '주요등기사항요약',
  '부동산에관한권리의표시',
  '변경/소멸',
  '등기명의인',
] as const

export type Correction = Readonly<{ at: number; letter: string }>

const differencesAt = (
  text: readonly string[],
  from: number,
  word: string,
): readonly Correction[] =>
  [...word].flatMap((letter, index) =>
    letter === '?' || text[from + index] === letter ? [] : [{ at: from + index, letter }],
  )

/**
 * Finds letters of a text, without blanks, that are the only difference from a word of the
 * form. It leaves letters that are already part of a word: 을구 is not a misread 갑구.
 */
export const correctByWords = (letters: readonly string[]): readonly Correction[] => {
  const corrections: Correction[] = []
  const right = new Set<number>()
  for (const word of WORDS) {
    for (let from = 0; from + word.length <= letters.length; from += 1) {
      const differences = differencesAt(letters, from, word)
      if (differences.length === 1) corrections.push(...differences)
      if (differences.length > 0) continue
      for (const index of word.split('').keys()) right.add(from + index)
    }
  }
  return corrections.filter(({ at }) => !right.has(at))
}
