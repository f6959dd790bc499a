// Loans with equal payments: each is interest on what is owed, and the rest pays back.
import { addMonths, dayInMonth, monthOf } from './dates.mjs';

export const initialLoans = { byId: {} };

export function loansReducer(loans, action) {
  switch (action.type) {
    case 'loans/added': {
      const { id, name, account, sum: owed, rate, months, first } = action;
      const entry = {
        id, name, account, rate, months, first, owed, paid: 0,
        payment: paymentFor(owed, rate, months),
      };
      return { byId: { ...loans.byId, [id]: entry } };
    }
    case 'loans/paid': {
      const loan = loans.byId[action.id];
      if (!loan || loan.owed === 0) return loans;
      const { principal } = partsOf(loan);
      const next = { ...loan, owed: loan.owed - principal, paid: loan.paid + 1 };
      return { byId: { ...loans.byId, [loan.id]: next } };
    }
    case 'loans/extraPaid': {
      const loan = loans.byId[action.id];
      if (!loan) return loans;
      const owed = Math.max(0, loan.owed - action.amount);
      return { byId: { ...loans.byId, [loan.id]: { ...loan, owed } } };
    }
    default:
      return loans;
  }
}

function paymentFor(owed, rate, months) {
  const monthly = rate / 1200;
  if (monthly === 0) return Math.ceil(owed / months);
  return Math.round((owed * monthly) / (1 - (1 + monthly) ** -months));
}

/** The interest of a month and what is paid back in it. The last payment is what is left. */
function partsOf({ owed, rate, payment, paid, months }) {
  const interest = Math.round((owed * rate) / 1200);
  const isLast = paid + 1 >= months || owed + interest <= payment;
  return { interest, principal: isLast ? owed : payment - interest };
}

/** The payment of a loan as a transaction. */
export function loanBooking(loan, { account, date }) {
  const { interest, principal } = partsOf(loan);
  return {
    type: 'transactions/entered',
    id: `${loan.id}-${loan.paid + 1}`,
    date,
    payee: loan.name,
    source: { kind: 'loan', id: loan.id },
    lines: [
      { account, amount: -(interest + principal) },
      { account: loan.account, amount: principal },
      { account: 'interest', amount: interest },
    ],
  };
}

/** All payments to come, until nothing is owed. */
export function plan(loan) {
  const lines = [];
  let each = loan;
  while (each.owed > 0 && lines.length < 600) {
    const { interest, principal } = partsOf(each);
    const month = addMonths(monthOf(loan.first), each.paid);
    const date = dayInMonth(month, Number(loan.first.slice(8)));
    each = { ...each, owed: each.owed - principal, paid: each.paid + 1 };
    lines.push({ date, interest, principal, owed: each.owed });
  }
  return lines;
}
