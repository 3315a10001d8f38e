// What trigonometric functions and distances give; where BigQuery has an error, so has quern.
import { testExpressions } from '../../support/expression-rows.ts';

testExpressions(
  {
    'angles and back': [
      ['SIN(0.0)', 'sin(0.0)', 0],
      ['COS(0.0)', 'cos(0.0)', 1],
      ['TAN(0.0)', 'tan(0.0)', 0],
      ['ASIN(1.0) * 2', null, Math.PI],
      ['ACOS(-1.0)', null, Math.PI],
      ['ATAN(1.0) * 4', null, Math.PI],
      ['ATAN2(0.0, -1.0)', null, Math.PI],
    ],
    'their reciprocals': [
      ['ROUND(COT(1.0), 6)', null, 0.642093],
      ['SEC(0.0)', null, 1],
      ['ROUND(CSC(1.0), 6)', null, 1.188395],
    ],
    'hyperbolic ones': [
      ['SINH(0.0)', null, 0],
      ['COSH(0.0)', null, 1],
      ['TANH(0.0)', null, 0],
      ['[TANH(19.0), TANH(-10.0), TANH(800.0)]', null, [0.9999999999999999, -0.9999999958776927, 1]],
      ['ASIN(TANH(10.0))', null, 1.5707055269350272],
      ["[IS_NAN(TANH(CAST('nan' AS FLOAT64))), TANH(CAST('-inf' AS FLOAT64)) = -1]", null, [1, 1]],
      ['ROUND(ASINH(1.0), 6)', null, 0.881374],
      ['ACOSH(1.0)', null, 0],
      ['ATANH(0.0)', null, 0],
      ['ROUND(COTH(1.0), 6)', null, 1.313035],
      ['SECH(0.0)', null, 1],
      ['ROUND(CSCH(1.0), 6)', null, 0.850918],
    ],
    'infinities and the smallest numbers': [
      ["IS_NAN(ASIN(CAST('inf' AS FLOAT64)))", null, 1],
      ["IS_NAN(ACOS(CAST('-inf' AS FLOAT64)))", null, 1],
      ["IS_NAN(ATANH(CAST('inf' AS FLOAT64)))", null, 1],
      ["COTH(CAST('-inf' AS FLOAT64))", null, -1],
      ["CSCH(CAST('inf' AS FLOAT64))", null, 0],
      ['[SAFE.COT(5e-324), SAFE.CSC(5e-324), SAFE.CSCH(5e-324), SAFE.COTH(5e-324)]', null, [null, null, null, null]],
    ],
    distances: [
      ['COSINE_DISTANCE([1.0, 0.0], [0.0, 1.0])', 'cosineDistance([1.0, 0.0], [0.0, 1.0])', 1],
      ['EUCLIDEAN_DISTANCE([0.0, 3.0], [4.0, 0.0])', 'L2Distance([0.0, 3.0], [4.0, 0.0])', 5],
    ],
  },
  [
    ['ASIN(2.0)', 'the query failed: ASIN: the argument is out of range'],
    ['ACOSH(0.5)', 'the query failed: ACOSH: the argument is out of range'],
    ['ATANH(1.0)', 'the query failed: ATANH: the argument is out of range'],
    ['CSC(5e-324)', 'the query failed: CSC: the argument is out of range'],
    ['COTH(0.0)', 'the query failed: COTH: the argument is out of range'],
    ['COT(0.0)', 'the query failed: COT: the argument is out of range'],
  ],
);
