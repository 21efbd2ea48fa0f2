import { expect, test } from 'vitest'
import { cronInWords } from './cron-words.ts'

test.each([
  ['* * * * *', 'Every minute', '매분'],
  ['*/15 * * * *', 'Every 15 minutes', '15분마다'],
  ['0 * * * *', 'Every hour', '매시간 정각'],
  ['@hourly', 'Every hour', '매시간 정각'],
  ['5 * * * *', 'Every hour at :05', '매시간 5분'],
  ['0,30 * * * *', 'Every hour at :00 and :30', '매시간 0분, 30분'],
  ['0 */6 * * *', 'Every 6 hours', '6시간마다 정각'],
  ['30 9 * * *', 'Every day at 09:30', '매일 09:30'],
  ['@daily', 'Every day at 00:00', '매일 00:00'],
  ['30 9 * * 1-5', 'Monday to Friday at 09:30', '매주 월~금요일 09:30'],
  ['30 9 * * MON,wed,5', 'Monday, Wednesday, and Friday at 09:30', '매주 월·수·금요일 09:30'],
  ['0 8 * * 6,7', 'Saturday and Sunday at 08:00', '매주 토·일요일 08:00'],
  ['0 8 * * 0', 'Sunday at 08:00', '매주 일요일 08:00'],
  ['0 8,20 * * *', 'Every day at 08:00 and 20:00', '매일 08:00, 20:00'],
  [
    '*/10 9-17 * * 1-5',
    'Every 10 minutes from 09:00 to 17:59, Monday to Friday',
    '매주 월~금요일 09:00~17:59 10분마다',
  ],
  ['15 9-17 * * *', 'Every hour from 09:15 to 17:15', '09:15~17:15 매시간'],
  ['0 0 1 * *', 'On day 1 of the month at 00:00', '매월 1일 00:00'],
  ['0 0 1,15 * *', 'On days 1 and 15 of the month at 00:00', '매월 1일, 15일 00:00'],
  ['@yearly', 'On January 1 at 00:00', '매년 1월 1일 00:00'],
  ['0 0 1 1,7 *', 'On January 1 and July 1 at 00:00', '매년 1월, 7월 1일 00:00'],
  [
    '0 9 * jun-aug 1',
    'Monday in June, July, and August at 09:00',
    '6월, 7월, 8월 매주 월요일 09:00',
  ],
  // either is enough
  [
    '0 9 13 * 5',
    'On day 13 of the month, and on Friday at 09:00',
    '매월 13일 또는 매주 금요일 09:00',
  ],
  ['0 0 L * *', 'On the last day of the month at 00:00', '매월 마지막 날 00:00'],
  [
    '30 9 15,l * *',
    'On day 15 and the last day of the month at 09:30',
    '매월 15일, 마지막 날 09:30',
  ],
  ['0 0 L 2 *', 'On the last day of February at 00:00', '매년 2월 마지막 날 00:00'],
  ['0 9 * * 5L', 'On the last Friday of the month at 09:00', '매월 마지막 금요일 09:00'],
  [
    '0 9 L * 5L',
    'On the last day of the month, and on the last Friday of the month at 09:00',
    '매월 마지막 날 또는 매월 마지막 금요일 09:00',
  ],
  ['@every 1h30m', 'Every 1h 30m', '1시간 30분마다'],
  ['@every 45s', 'Every 45s', '45초마다'],
  ['@every 5s', 'Every 5s', '5초마다'],
  [' 30  9 * * * ', 'Every day at 09:30', '매일 09:30'],
])('%s is “%s” and “%s”', (cron, english, korean) => {
  expect(cronInWords(cron, 'en')).toBe(english)
  expect(cronInWords(cron, 'ko')).toBe(korean)
})

test.each([
  '',
  'every day',
  '* * * *',
  '0 0 9 * * *',
  '61 * * * *',
  '0 0 LW * *',
  '0 0 * * 5#2',
  '0 0 * * 1,5L',
  '5-1 * * * *',
  '*/0 * * * *',
  '*/7 * * * *',
  '1,2,3,4,5 * * * *',
  '0 1,3,5,7,9,11 * * *',
  '0 0 2-30/3 * *',
  '@every soon',
  // two units do not express them
  '@every 1h30m15s',
  '@every 10500ms',
  '@never',
])('%s is left to the expression itself', (cron) => {
  expect(cronInWords(cron, 'en')).toBeNull()
})
