import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  none: { en: 'No flows deployed', ko: '배포된 플로우가 없습니다' },
  noneText: {
    en: 'A flow chains the actions of an app with branches, loops and approvals. Add it under flows: in app.yaml, then deploy:',
    ko: '플로우는 앱의 액션을 분기·반복·승인과 함께 이어서 실행합니다. app.yaml의 flows: 아래에 작성한 뒤 배포하세요.',
  },
})
