import { defineMessages, plural } from '../../language/messages.ts'

export const messages = defineMessages({
  schedules: { en: 'Schedules', ko: '일정' },
  edit: { en: 'Edit', ko: '수정' },
  remove: { en: 'Delete', ko: '삭제' },
  removeTitle: { en: 'Delete this schedule?', ko: '이 일정을 삭제할까요?' },
  removeText: {
    en: 'It fires no more. Jobs and runs that it has started stay.',
    ko: '더 이상 실행되지 않습니다. 이미 시작한 작업과 실행은 남습니다.',
  },
  removed: { en: 'The schedule was deleted', ko: '일정을 삭제했습니다' },
  notRemoved: { en: 'The schedule was not deleted', ko: '일정을 삭제하지 못했습니다' },
  switchedOff: { en: 'svc switched this schedule off', ko: '일정이 자동으로 꺼졌습니다' },
  switchedOffText: {
    en: 'Mend the cause, then switch it on again.',
    ko: '원인을 해결한 뒤 다시 켜세요.',
  },
  facts: { en: 'Details', ko: '상세' },
  cron: { en: 'Expression', ko: '표현식' },
  zone: { en: 'Time zone', ko: '시간대' },
  by: { en: 'Runs as', ko: '실행 권한' },
  created: { en: 'Created', ko: '생성' },
  changed: { en: 'Changed', ko: '변경' },
  input: { en: 'Input', ko: '입력' },
  next: { en: 'Next ten', ko: '다음 10회' },
  noNext: { en: 'It is switched off, so it does not fire.', ko: '꺼져 있어 실행되지 않습니다.' },
  days: { en: 'Last four weeks', ko: '최근 4주' },
  dayTold: {
    en: (day: string, fired: number, skipped: number) =>
      `${day}: ${fired} fired, ${skipped} skipped`,
    ko: (day: string, fired: number, skipped: number) =>
      `${day}: 실행 ${fired}회, 건너뜀 ${skipped}회`,
  },
  fired: { en: 'fired', ko: '실행' },
  skipped: { en: 'skipped', ko: '건너뜀' },
  waiting: { en: 'waiting', ko: '대기 중' },
  slots: { en: 'What became of its times', ko: '실행 내역' },
  allDays: { en: 'Show all days', ko: '전체 보기' },
  noSlots: {
    en: 'It has not come to a time yet.',
    ko: '아직 실행 시각이 되지 않았습니다.',
  },
  noneOnDay: { en: 'Nothing on this day.', ko: '이 날에는 없습니다.' },
  skippedRun: {
    en: (count: number) => `${count} ${plural(count, 'time', 'times')} skipped`,
    ko: (count: number) => `${count}회 건너뜀`,
  },
  until: { en: (at: string) => `until ${at}`, ko: (at: string) => `${at}까지` },
  partial: {
    en: (count: number) => `Only its last ${count} times are looked at here.`,
    ko: (count: number) => `최근 ${count}회만 표시합니다.`,
  },
  more: { en: 'Show more', ko: '더 보기' },
})
