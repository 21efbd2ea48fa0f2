/** The land categories (지목) of the law on spatial data. */

const LAND_CATEGORIES: readonly string[] = (
  '전 답 과수원 목장용지 임야 광천지 염전 대 공장용지 학교용지 주차장 주유소용지 창고용지 도로 철도용지 ' +
  '제방 하천 구거 유지 양어장 수도용지 공원 체육용지 유원지 종교용지 사적지 묘지 잡종지'
).split(' ')

/** Whether the text is a land category. */
export const isLandCategory = (text: string): boolean => LAND_CATEGORIES.includes(text)
