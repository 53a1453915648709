//! What an action is made of: each kind declares its actions once, by the macro `actions!`, and what reads, writes and judges
//! them follows.

use arrayvec::ArrayVec;

use crate::rules::canonical_action::Param;
use crate::rules::cards::Card;
use crate::rules::menu::Value;
use crate::rules::seats::Seat;

/// A type that a parameter of an action can have. `C`: the cards of the kind.
pub trait Parameter<C: Card>: Sized {
    /// As a menu's domain judges it.
    fn value(&self) -> Value<'_, C>;

    /// From canonical JSON; none where it is of another type.
    fn read(param: Param<'_>) -> Option<Self>;
}

/// A whole number.
impl<C: Card> Parameter<C> for u32 {
    fn value(&self) -> Value<'_, C> {
        Value::Integer(*self)
    }

    fn read(param: Param<'_>) -> Option<u32> {
        param.integer()
    }
}

impl<C: Card> Parameter<C> for Seat {
    fn value(&self) -> Value<'_, C> {
        Value::Seat(*self)
    }

    fn read(param: Param<'_>) -> Option<Seat> {
        param.seat()
    }
}

impl<C: Card> Parameter<C> for C {
    fn value(&self) -> Value<'_, C> {
        Value::Card(*self)
    }

    fn read(param: Param<'_>) -> Option<C> {
        param.card()
    }
}

/// At most `N` cards.
impl<C: Card, const N: usize> Parameter<C> for ArrayVec<C, N> {
    fn value(&self) -> Value<'_, C> {
        Value::Cards(self)
    }

    fn read(param: Param<'_>) -> Option<ArrayVec<C, N>> {
        param.cards()
    }
}

/// `N` cards.
impl<C: Card, const N: usize> Parameter<C> for [C; N] {
    fn value(&self) -> Value<'_, C> {
        Value::Cards(self)
    }

    fn read(param: Param<'_>) -> Option<[C; N]> {
        param.cards()?.into_inner().ok()
    }
}

/// Declares the actions of a kind: `"raise" => Raise { by: u32 }`. The parameters stand in the order of their names. It
/// makes the type `Action`, its form in JSON and in the OpenAPI document, and how it is read and written as canonical
/// JSON.
macro_rules! actions {
    (
        $(#[$about_all:meta])*
        of $card:ty;
        $(
            $(#[$about:meta])*
            $name:literal => $variant:ident { $( $(#[$about_param:meta])* $param:ident: $type:ty, )* }
        )*
    ) => {
        $(#[$about_all])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        #[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
        pub enum Action {
            $(
                $(#[$about])*
                $variant { $( $(#[$about_param])* $param: $type, )* },
            )*
        }

        impl $crate::rules::menu::Action<$card> for Action {
            fn name(&self) -> &'static str {
                match self {
                    $( Action::$variant { .. } => $name, )*
                }
            }

            fn params(&self) -> $crate::rules::menu::Params<'_, $card> {
                match self {
                    $(
                        Action::$variant { $( $param, )* } => {
                            smallvec::smallvec![
                                $( (stringify!($param), $crate::rules::action::Parameter::<$card>::value($param)), )*
                            ]
                        }
                    )*
                }
            }

            fn read(action: &$crate::rules::canonical_action::CanonicalAction<'_>) -> Option<Action> {
                let mut params = action.params.iter();
                let action = match action.name {
                    $(
                        $name => Action::$variant {
                            $(
                                $param: {
                                    let (_, param) = params.next().filter(|(name, _)| *name == stringify!($param))?;
                                    $crate::rules::action::Parameter::<$card>::read(*param)?
                                },
                            )*
                        },
                    )*
                    _ => return None,
                };
                params.next().is_none().then_some(action)
            }
        }
    };
}

pub(crate) use actions;
