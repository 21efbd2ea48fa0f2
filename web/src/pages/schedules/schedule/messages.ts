import { defineMessages, plural } from '../../../language/messages.ts'

export const messages = defineMessages({
  hasRun: { en: 'Started', ko: '실행을 시작했습니다' },
  notRun: { en: 'Could not start it', ko: '실행을 시작하지 못했습니다' },
  removeTitle: { en: 'Delete this schedule?', ko: '이 일정을 삭제할까요?' },
  removeText: {
    en: 'It no longer fires. Jobs and runs that it started stay.',
    ko: '더 이상 실행되지 않습니다. 이미 시작한 작업과 실행은 남습니다.',
  },
  removed: { en: 'Schedule deleted', ko: '일정을 삭제했습니다' },
  notRemoved: { en: 'Could not delete the schedule', ko: '일정을 삭제하지 못했습니다' },
  switchedOff: {
    en: 'This schedule was turned off automatically',
    ko: '일정이 자동으로 꺼졌습니다',
  },
  switchedOffText: {
    en: 'Fix the cause, then turn it on again.',
    ko: '원인을 해결한 뒤 다시 켜세요.',
  },
  cron: { en: 'Expression', ko: '표현식' },
  managed: { en: 'Managed by', ko: '관리' },
  managedText: {
    en: (key: string, app: string) => `app.yaml of ${app}, as ${key}`,
    ko: (key: string, app: string) => `${app} 앱의 app.yaml (${key})`,
  },
  overlap: { en: 'If the previous run has not ended', ko: '이전 실행이 끝나지 않았을 때' },
  allow: { en: 'start another at the same time', ko: '동시에 실행' },
  skip: { en: 'skip the time', ko: '건너뛰기' },
  queue: { en: 'wait for its end', ko: '끝난 뒤 실행' },
  next: { en: 'Next 10 times', ko: '다음 10회' },
  noNext: { en: 'The schedule is off.', ko: '꺼져 있어 실행되지 않습니다.' },
  days: { en: 'Last four weeks', ko: '최근 4주' },
  dayCounts: {
    en: (day: string, fired: number, skipped: number) =>
      `${day}: ${fired} fired, ${skipped} skipped`,
    ko: (day: string, fired: number, skipped: number) =>
      `${day}: 실행 ${fired}회, 건너뜀 ${skipped}회`,
  },
  fired: { en: 'fired', ko: '실행' },
  skipped: { en: 'skipped', ko: '건너뜀' },
  waiting: { en: 'waiting', ko: '대기 중' },
  slots: { en: 'History', ko: '실행 내역' },
  allDays: { en: 'Show all days', ko: '전체 보기' },
  noSlots: {
    en: 'It has not fired yet.',
    ko: '아직 실행 시각이 되지 않았습니다.',
  },
  noneOnDay: { en: 'Nothing on this day.', ko: '이 날에는 없습니다.' },
  skippedRun: {
    en: (count: number) => `${count} ${plural(count, 'time', 'times')} skipped`,
    ko: (count: number) => `${count}회 건너뜀`,
  },
  until: { en: (at: string) => `until ${at}`, ko: (at: string) => `${at}까지` },
  partial: {
    en: (count: number) => `Only the last ${count} times are shown.`,
    ko: (count: number) => `최근 ${count}회만 표시합니다.`,
  },
})
