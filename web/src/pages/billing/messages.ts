import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Billing', ko: '과금' },
  parts: { en: 'Parts of billing', ko: '과금 내용' },
  balance: { en: 'Balance', ko: '잔액' },
  prices: { en: 'Prices', ko: '요금' },
  registry: { en: 'A certificate', ko: '증명서 1건' },
  accuracy: { en: 'Higher accuracy, on top', ko: '고정밀 추가' },
  free: {
    en: 'Billing is off on this instance: calls are recorded and cost nothing.',
    ko: '이 인스턴스는 과금을 사용하지 않습니다. 호출은 기록되지만 비용이 없습니다.',
  },
  onlySuccess: {
    en: 'Charged only for an answer with a result. Jobs and flows are not charged.',
    ko: '결과를 받은 호출에만 과금됩니다. 작업과 플로우는 과금되지 않습니다.',
  },
  suspended: {
    en: 'This workspace is suspended: paid calls are refused.',
    ko: '이 워크스페이스는 정지되어 유료 호출이 거부됩니다.',
  },
  addCredit: { en: 'Add credit', ko: '충전하기' },
  askCredit: {
    en: 'Whoever runs the instance adds credit.',
    ko: '충전은 인스턴스 운영자가 합니다.',
  },
  credit: { en: 'Added and charged', ko: '충전·차감 내역' },
  jobs: { en: 'Job records', ko: '작업 기록' },
  kind: { en: 'What', ko: '구분' },
  opening: { en: 'Opening credit', ko: '최초 지급' },
  creditAdded: { en: 'Credit', ko: '충전' },
  takenBack: { en: 'Taken back', ko: '회수' },
  charge: { en: 'Charge', ko: '차감' },
  amount: { en: 'Won', ko: '금액(원)' },
  of: { en: 'For', ko: '내용' },
  key: { en: 'With the key', ko: '사용 키' },
  when: { en: 'When', ko: '시각' },
  app: { en: 'App', ko: '앱' },
  action: { en: 'Action', ko: '액션' },
  customer: { en: 'Customer', ko: '고객' },
  customerId: { en: 'Customer’s id', ko: '고객 ID' },
  outcome: { en: 'Outcome', ko: '결과' },
  took: { en: 'Took', ko: '소요' },
  none: { en: 'Nothing was added or charged yet', ko: '아직 내역이 없습니다' },
  noneText: {
    en: 'Calls of the document parser appear here.',
    ko: '문서 파서 호출이 여기에 나타납니다.',
  },
  noJobs: { en: 'No job records', ko: '작업 기록이 없습니다' },
  noJobsText: {
    en: 'Each job that ends leaves a record, which stays when the job itself is cleared away.',
    ko: '끝난 작업마다 기록이 남으며, 작업이 정리된 뒤에도 유지됩니다.',
  },
})
