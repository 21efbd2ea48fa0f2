import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Customers', ko: '고객' },
  about: {
    en: 'Outside callers with keys of their own. A customer may run what it is granted, read its own jobs, and nothing else.',
    ko: '자체 키로 호출하는 외부 사용자입니다. 허용된 액션 실행과 자기 작업 조회만 할 수 있습니다.',
  },
  add: { en: 'New customer', ko: '새 고객' },
  create: { en: 'Add customer', ko: '고객 추가' },
  name: { en: 'Name', ko: '이름' },
  ref: { en: 'Your reference', ko: '외부 참조' },
  refHint: {
    en: 'How your own systems call this customer. Optional.',
    ko: '사내 시스템에서 이 고객을 부르는 값입니다. 선택 사항입니다.',
  },
  state: { en: 'State', ko: '상태' },
  grants: { en: 'May run', ko: '허용 액션' },
  nothing: { en: 'nothing yet', ko: '없음' },
  created: { en: 'Created', ko: '생성' },
  notAdded: { en: 'The customer was not added', ko: '고객을 추가하지 못했습니다' },
  next: {
    en: 'It may run nothing until you grant it something.',
    ko: '액션을 허용하기 전에는 아무것도 실행할 수 없습니다.',
  },
  none: { en: 'No customers yet', ko: '아직 고객이 없습니다' },
  noneText: {
    en: 'Add one, grant it actions, and give it a key. With it the customer calls:',
    ko: '고객을 추가하고 액션을 허용한 뒤 키를 발급하세요. 고객은 그 키로 다음과 같이 호출합니다.',
  },
})
