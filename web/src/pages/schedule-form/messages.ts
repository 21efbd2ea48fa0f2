import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  schedules: { en: 'Schedules', ko: '일정' },
  newTitle: { en: 'New schedule', ko: '일정 만들기' },
  editTitle: { en: (name: string) => `Edit ${name}`, ko: (name: string) => `${name} 수정` },
  what: { en: 'What runs', ko: '대상' },
  when: { en: 'When', ko: '시각' },
  app: { en: 'App', ko: '앱' },
  kind: { en: 'Kind', ko: '종류' },
  action: { en: 'Action', ko: '액션' },
  flow: { en: 'Flow', ko: '플로우' },
  choose: { en: '(choose)', ko: '(선택)' },
  noApps: {
    en: 'No app is deployed yet. Deploy one first:',
    ko: '배포된 앱이 없습니다. 먼저 앱을 배포하세요.',
  },
  noneOfKind: {
    en: 'This app has none. Choose the other kind, or deploy a version that has one.',
    ko: '이 앱에는 없습니다. 다른 종류를 선택하거나 포함된 버전을 배포하세요.',
  },
  cron: { en: 'Cron expression', ko: 'cron 표현식' },
  cronHint: {
    en: 'minute, hour, day of month, month, day of week; or @daily, @every 30m',
    ko: '분, 시, 일, 월, 요일 순. @daily, @every 30m 형식도 가능합니다',
  },
  presets: { en: 'Often used', ko: '자주 쓰는 주기' },
  zone: { en: 'Time zone', ko: '시간대' },
  zoneHint: { en: 'an IANA name, such as Asia/Seoul', ko: 'IANA 이름 (예: Asia/Seoul)' },
  input: { en: 'Input', ko: '입력' },
  enabled: { en: 'Switch it on', ko: '일정 켜기' },
  create: { en: 'Create schedule', ko: '일정 만들기' },
  save: { en: 'Save', ko: '저장' },
  notSaved: { en: 'The schedule was not saved', ko: '일정을 저장하지 못했습니다' },
  created: { en: 'The schedule was created', ko: '일정을 만들었습니다' },
  saved: { en: 'The schedule was saved', ko: '일정을 저장했습니다' },
})
