import { expect, it } from 'vitest'
import { correctText } from './correct-text.ts'

it.each([
  ['게24670초', '제24670호'],
  ['금2,100,000,000인', '금2,100,000,000원'],
  ["2019'1ㅋ8윌12일", '2019년8월12일'],
  ['1997년6윌28일', '1997년6월28일'],
  ['2971360004864', '297136-0004864'],
  ['가람특별시 나래구 누리코 128', '가람특별시 나래구 누리로 128'],
  ['108등 201초', '108동 201호'],
  ['나래북도 이슬시 초롱면 가온리 84 44', '나래북도 이슬시 초롱면 가온리 84-44'],
  ['1층 408.64340', '1층 408.6434㎡'],
  ['13층 335.190', '13층 335.19㎡'],
  ['1606머', '1606㎡'],
  ['설정게약', '설정계약'],
])('%s is %s', (read, printed) => {
  expect(correctText(read, false)).toBe(printed)
})

it.each([
  '소유권이전청구권가',
  '철골철근콘크리트구조',
  '열람일시 : 2026년01월25일 13시30분19초',
  '4층 사무소',
  '101동 903호',
  '옥탑1층 70㎡(연면적제외)',
  '가람시 나래구 솔빛로12번길 22',
])('%s stays', (text) => {
  expect(correctText(text, false)).toBe(text)
})

it('in the column of ranks, letters that look like digits are digits', () => {
  expect(correctText('l', true)).toBe('1')
  expect(correctText('2–1', true)).toBe('2-1')
  expect(correctText('(진 3)', true)).toBe('(전 3)')
  expect(correctText('l', false)).toBe('l')
})
