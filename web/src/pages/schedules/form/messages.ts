import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  newTitle: { en: 'New schedule', ko: '새 일정' },
  editTitle: { en: (name: string) => `Edit ${name}`, ko: (name: string) => `${name} 수정` },
  notAllowed: { en: 'You cannot change schedules', ko: '일정을 변경할 수 없습니다' },
  notAllowedText: {
    en: 'You need the scope schedules:write. Ask a workspace admin.',
    ko: 'schedules:write 권한이 필요합니다. 워크스페이스 관리자에게 요청하세요.',
  },
  managedText: {
    en: (app: string) =>
      `It belongs to the app.yaml of ${app}. Change it there and deploy the app.`,
    ko: (app: string) =>
      `${app} 앱의 app.yaml에 속한 일정입니다. app.yaml을 수정해 앱을 배포하세요.`,
  },
  what: { en: 'Target', ko: '대상' },
  choose: { en: 'Select …', ko: '(선택)' },
  noApps: {
    en: 'No app is deployed yet. Deploy one first:',
    ko: '배포된 앱이 없습니다. 먼저 앱을 배포하세요.',
  },
  noneOfKind: {
    en: 'This app has none. Choose another kind or deploy a version that has one.',
    ko: '이 앱에는 없습니다. 다른 종류를 선택하거나 포함된 버전을 배포하세요.',
  },
  cron: { en: 'Cron expression', ko: 'cron 표현식' },
  cronHint: {
    en: 'minute, hour, day of month, month, day of week; or @daily, @every 30m',
    ko: '분, 시, 일, 월, 요일 순. @daily, @every 30m 형식도 쓸 수 있습니다.',
  },
  presets: { en: 'Presets', ko: '자주 쓰는 주기' },
  zoneHint: { en: 'an IANA name, such as Asia/Seoul', ko: 'IANA 이름 (예: Asia/Seoul)' },
  enabled: { en: 'Enabled', ko: '일정 켜기' },
  on: { en: 'on', ko: '켜짐' },
  overlap: { en: 'If the previous run has not ended', ko: '이전 실행이 끝나지 않았을 때' },
  allow: { en: 'Start another at the same time', ko: '동시에 실행' },
  skip: { en: 'Skip this time', ko: '이번 회차 건너뛰기' },
  queue: { en: 'Wait for its end, then start', ko: '끝난 뒤 실행' },
  create: { en: 'Create schedule', ko: '일정 만들기' },
  notSaved: { en: 'Could not save the schedule', ko: '일정을 저장하지 못했습니다' },
  created: { en: 'Schedule created', ko: '일정을 만들었습니다' },
  saved: { en: 'Schedule saved', ko: '일정을 저장했습니다' },
})
