import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  yes: { en: 'Yes', ko: '예' },
  no: { en: 'No', ko: '아니요' },
  ended: { en: 'Ended', ko: '종료됨' },
  none: { en: 'No jobs yet', ko: '아직 작업이 없습니다' },
  noneText: {
    en: 'A job is one run of an action. Deploy an app, then run one of its actions:',
    ko: '작업은 액션을 한 번 실행한 것입니다. 앱을 배포한 뒤 액션을 실행해 보세요.',
  },
  noneFailed: { en: 'No failures', ko: '실패한 작업이 없습니다' },
  noneFailedText: {
    en: 'A job that fails appears here until you dismiss it.',
    ko: '작업이 실패하면 처리 완료로 표시할 때까지 여기에 나타납니다.',
  },
  noMatch: { en: 'No matching jobs', ko: '필터에 맞는 작업이 없습니다' },
  noMatchText: {
    en: 'Clear the filters or choose a longer time range. New jobs appear automatically.',
    ko: '필터를 지우거나 기간을 늘려 보세요. 새 작업은 자동으로 나타납니다.',
  },
})
