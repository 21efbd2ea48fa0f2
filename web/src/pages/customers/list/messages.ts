import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  about: {
    en: 'External callers with their own keys. A customer can run its allowed actions and read its own jobs.',
    ko: '자체 키로 호출하는 외부 사용자입니다. 허용된 액션 실행과 자기 작업 조회만 할 수 있습니다.',
  },
  add: { en: 'New customer', ko: '새 고객' },
  create: { en: 'Create customer', ko: '고객 만들기' },
  refHint: {
    en: 'Optional. The ID of this customer in your own systems.',
    ko: '선택 사항입니다. 사내 시스템에서 이 고객을 식별하는 값입니다.',
  },
  nothing: { en: 'none', ko: '없음' },
  notAdded: { en: 'Could not create the customer', ko: '고객을 만들지 못했습니다' },
  next: {
    en: 'A new customer cannot run anything until you allow actions.',
    ko: '액션을 허용하기 전에는 아무것도 실행할 수 없습니다.',
  },
  none: { en: 'No customers yet', ko: '아직 고객이 없습니다' },
  noneText: {
    en: 'Create a customer, allow actions and issue a key. The customer then calls:',
    ko: '고객을 만들고 액션을 허용한 뒤 키를 발급하세요. 고객은 그 키로 다음과 같이 호출합니다.',
  },
})
