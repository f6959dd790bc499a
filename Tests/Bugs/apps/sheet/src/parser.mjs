// Parses formulas into trees. Trees are kept by their texts: many cells share a formula.
import { SyntaxFailure, tokens } from './lexer.mjs';

const BINDING = new Map([
  ['=', 1], ['<>', 1], ['<', 1], ['>', 1], ['<=', 1], ['>=', 1],
  ['&', 2],
  ['+', 3], ['-', 3],
  ['*', 4], ['/', 4],
  ['^', 6],
]);
const UNARY_BINDING = 5;

class Parser {
  constructor(formula) {
    this.tokens = tokens(formula);
    this.at = 0;
  }

  get token() {
    return this.tokens[this.at];
  }

  take(type) {
    const { token } = this;
    if (token.type !== type) {
      const found = token.type === 'end' ? 'the end' : `“${token.sign ?? token.type}”`;
      throw new SyntaxFailure(`Expected “${type}”, found ${found}`, token.at);
    }
    this.at++;
    return token;
  }

  isNext(type) {
    return this.token.type === type;
  }

  formula() {
    const tree = this.expression(0);
    this.take('end');
    return tree;
  }

  expression(binding) {
    let left = this.prefix();
    for (;;) {
      const { token } = this;
      if (token.type !== 'operator') return left;
      if (token.sign === '%') {
        this.at++;
        left = { type: 'percent', operand: left };
        continue;
      }
      const own = BINDING.get(token.sign);
      if (own <= binding) return left;
      this.at++;
      left = { type: 'binary', operator: token.sign, left, right: this.expression(own) };
    }
  }

  prefix() {
    const { token } = this;
    if (token.type === 'operator' && (token.sign === '-' || token.sign === '+')) {
      this.at++;
      return { type: 'unary', operator: token.sign, operand: this.expression(UNARY_BINDING) };
    }
    if (this.isNext('(')) {
      this.at++;
      const inner = this.expression(0);
      this.take(')');
      return { type: 'group', inner };
    }
    return this.primary();
  }

  primary() {
    const { token } = this;
    this.at++;
    switch (token.type) {
      case 'number': return { type: 'number', value: token.value };
      case 'text': return { type: 'text', value: token.value };
      case 'error': return { type: 'error', code: token.code };
      case 'cell': return this.reference(undefined, token.corner);
      case 'sheet': return this.onSheet(token);
      case 'word': return this.word(token);
      default: throw new SyntaxFailure('Expected a value', token.at);
    }
  }

  onSheet({ name }) {
    if (this.isNext('error')) return { type: 'error', code: this.take('error').code };
    return this.reference(name, this.take('cell').corner);
  }

  reference(sheet, corner) {
    if (!this.isNext(':')) return { type: 'cell', sheet, ...corner };
    this.at++;
    return { type: 'range', sheet, from: corner, to: this.take('cell').corner };
  }

  word({ word, at }) {
    if (/^(true|false)$/i.test(word)) {
      return { type: 'boolean', value: word.toLowerCase() === 'true' };
    }
    if (!this.isNext('(')) return { type: 'name', name: word };
    if (word.includes('.')) throw new SyntaxFailure(`Unknown function “${word}”`, at);
    return { type: 'call', name: word.toUpperCase(), parts: this.callParts() };
  }

  callParts() {
    this.take('(');
    const parts = [];
    if (!this.isNext(')')) {
      parts.push(this.expression(0));
      while (this.isNext(',')) {
        this.at++;
        parts.push(this.expression(0));
      }
    }
    this.take(')');
    return parts;
  }
}

const LIMIT = 4000;
const trees = new Map();

/** The tree of a formula that begins with `=`. It throws on any other text. */
function parseFormula(formula) {
  const known = trees.get(formula);
  if (known) return known;
  const tree = new Parser(formula).formula();
  if (trees.size >= LIMIT) trees.clear();
  trees.set(formula, tree);
  return tree;
}

export const isFormula = (input) => typeof input === 'string' && /^=./.test(input);

/** The tree; undefined for other inputs and for formulas with a fault. */
export function treeOf(input) {
  if (!isFormula(input)) return undefined;
  try {
    return parseFormula(input);
  } catch (error) {
    if (error instanceof SyntaxFailure) return undefined;
    throw error;
  }
}

/** Where and why a formula has a fault; undefined if it has none. */
export function faultOf(input) {
  if (!isFormula(input)) return undefined;
  try {
    parseFormula(input);
    return undefined;
  } catch (error) {
    return { message: error.message, at: error.at };
  }
}
