import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  prices: { en: 'Prices', ko: '요금' },
  registry: { en: 'Certificate', ko: '증명서 1건' },
  accuracy: { en: 'High accuracy (extra)', ko: '고정밀 추가' },
  free: {
    en: 'Billing is off on this instance. Calls are recorded but free.',
    ko: '이 인스턴스는 과금을 사용하지 않습니다. 호출은 기록되지만 비용이 없습니다.',
  },
  onlySuccess: {
    en: 'You pay only for calls that return a result. Jobs and flows are free.',
    ko: '결과를 받은 호출에만 과금됩니다. 작업과 플로우는 과금되지 않습니다.',
  },
  suspended: {
    en: 'This workspace is suspended: paid calls are refused.',
    ko: '이 워크스페이스는 정지되어 유료 호출이 거부됩니다.',
  },
  addCredit: { en: 'Add credit', ko: '충전하기' },
  askCredit: {
    en: 'The instance operator adds credit.',
    ko: '충전은 인스턴스 운영자가 합니다.',
  },
  credit: { en: 'Transactions', ko: '거래 내역' },
  jobs: { en: 'Job records', ko: '작업 기록' },
  kind: { en: 'Type', ko: '유형' },
  opening: { en: 'Opening credit', ko: '최초 지급' },
  creditAdded: { en: 'Credit', ko: '충전' },
  takenBack: { en: 'Withdrawn', ko: '회수' },
  charge: { en: 'Charge', ko: '차감' },
  amount: { en: 'Amount (₩)', ko: '금액(원)' },
  of: { en: 'Description', ko: '설명' },
  key: { en: 'API key', ko: 'API 키' },
  customerId: { en: 'Customer ID', ko: '고객 ID' },
  usage: { en: 'Usage by customer', ko: '고객별 사용량' },
  deletedCustomer: {
    en: (id: string) => `Deleted (${id})`,
    ko: (id: string) => `삭제됨 (${id})`,
  },
  noUsage: { en: 'No usage in this period', ko: '이 기간의 사용량이 없습니다' },
  noUsageText: {
    en: 'Runs that customers start with their own keys are added up here, by customer and day.',
    ko: '고객이 자신의 키로 실행한 작업이 고객별, 일별로 집계됩니다.',
  },
  outcome: { en: 'Outcome', ko: '결과' },
  none: { en: 'No transactions yet', ko: '아직 내역이 없습니다' },
  noneText: {
    en: 'Calls of the document parser appear here.',
    ko: '문서 파서 호출이 여기에 나타납니다.',
  },
  noJobs: { en: 'No job records', ko: '작업 기록이 없습니다' },
  noJobsText: {
    en: 'Every ended job leaves a record, which stays after the job itself is deleted.',
    ko: '끝난 작업마다 기록이 남으며, 작업이 정리된 뒤에도 유지됩니다.',
  },
})
