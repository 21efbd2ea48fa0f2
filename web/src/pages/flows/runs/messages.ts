import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  open: { en: 'In progress', ko: '진행 중' },
  over: { en: 'Ended', ko: '종료됨' },
  step: { en: 'Current step', ko: '현재 단계' },
  starts: { en: 'Starts', ko: '시작 예정:' },
  none: { en: 'No flow runs yet', ko: '아직 실행된 플로우가 없습니다' },
  noneText: {
    en: 'A flow chains actions and can wait for approvals. Deploy an app with a flow, then start it:',
    ko: '플로우는 액션을 이어서 실행하고 사람의 승인을 기다릴 수 있습니다. 플로우가 있는 앱을 배포한 뒤 시작해 보세요.',
  },
  noneFailed: { en: 'No failures', ko: '실패한 실행이 없습니다' },
  noneFailedText: {
    en: 'A run that fails appears here until you dismiss it.',
    ko: '실행이 실패하면 처리 완료로 표시할 때까지 여기에 나타납니다.',
  },
  noMatch: { en: 'No matching runs', ko: '필터에 맞는 실행이 없습니다' },
  noMatchText: {
    en: 'Clear the filters or choose a longer time range. New runs appear automatically.',
    ko: '필터를 지우거나 기간을 늘려 보세요. 새 실행은 자동으로 나타납니다.',
  },
})
