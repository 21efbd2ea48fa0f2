import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  about: {
    en: 'Addresses of your apps that Stripe, GitHub, Slack and other services call.',
    ko: 'Stripe, GitHub, Slack 같은 외부 서비스가 호출하는 앱의 주소입니다.',
  },
  answer: { en: 'Last response', ko: '최근 응답' },
  noSecret: { en: 'secret not set', ko: '비밀 값 미설정' },
  none: { en: 'No webhooks yet', ko: '아직 웹훅이 없습니다' },
  noneText: {
    en: 'Declare webhooks in app.yaml and deploy the app. Each one gets an address for its sender. Or begin with an example:',
    ko: 'app.yaml에 webhooks를 선언하고 앱을 배포하면 보내는 서비스에 등록할 주소가 생깁니다. 예제로 시작하려면 다음을 실행하세요.',
  },
})
